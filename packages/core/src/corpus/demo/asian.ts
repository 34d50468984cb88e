import { MODELS } from '../session/models.ts';
import { bash, bashFails, edit, grep, read } from './calls.ts';
import { Tale } from './tale.ts';

/** A Chinese session about a login page. */
export function chinese(time: number): Tale {
  const tale = new Tale({ shapes: 'musepi', project: 'work/web', title: '修复登录页面的重复提交', time });
  tale
    .user('用户反馈登录按钮点两次会创建两个会话。先找出原因，不要马上改代码。')
    .step(
      '先看表单组件，再看后端的登录接口有没有去重。',
      '我先看表单和接口两边。',
      read('src/pages/Login.svelte', LOGIN),
      grep(
        'createSession',
        'src',
        'src/api/login.ts:18:  const session = await createSession(user);\nsrc/api/refresh.ts:9:  return createSession(user);\n',
      ),
    )
    .answer(ZH_REASON)
    .mark('原因')
    .user('好，用第一种办法。按钮上要能看出来正在登录。', 3)
    .step(
      '',
      '提交期间禁用按钮，并显示进行中的文字：',
      edit(
        'src/pages/Login.svelte',
        21,
        '<button type="submit">登录</button>',
        "<button type=\"submit\" disabled={pending} aria-busy={pending}>\n  {pending ? '正在登录…' : '登录'}\n</button>",
        ['  <label>密码 <input type="password" bind:value={password} /></label>'],
        ['</form>'],
      ),
      bashFails(
        'npx vitest run Login',
        '\u001b[31m FAIL \u001b[39m src/pages/Login.test.ts > 密码错误后可以再次提交\n\u001b[31mAssertionError\u001b[39m: 按钮仍处于禁用状态\n\n Tests  \u001b[31m1 failed\u001b[39m | \u001b[32m6 passed\u001b[39m (7)\n',
      ),
    )
    .step(
      '出错时没有把 pending 设回 false。',
      '密码错误时忘了恢复按钮，放到 `finally` 里。',
      edit(
        'src/pages/Login.svelte',
        12,
        '    await login(name, password);\n    pending = false;',
        '    try {\n      await login(name, password);\n    } finally {\n      pending = false;\n    }',
      ),
      bash(
        'npx vitest run Login',
        ' \u001b[32m✓\u001b[39m src/pages/Login.test.ts \u001b[2m(7 tests)\u001b[22m 182ms\n\n      Tests  \u001b[32m7 passed\u001b[39m (7)\n',
      ),
    )
    .answer('改好了：提交期间按钮不可点，出错后恢复，七个测试全部通过。读屏软件会读出“正在登录”。')
    .label('原因', '两种办法')
    .back('原因')
    .user('再想一下第二种办法：后端去重要改多少？', 40)
    .answer(ZH_SERVER)
    .user('先记下来，不做。', 1)
    .answer('已记录。当前分支停在这里，前端的修改在另一条分支上。');
  return tale;
}

/** A Korean session, in Pi's shapes. */
export function korean(time: number): Tale {
  const tale = new Tale({
    shapes: 'pi',
    project: 'work/web',
    title: '검색 결과 정렬이 뒤집히는 문제',
    time,
    model: MODELS[2] ?? MODELS[0],
  });
  tale
    .user('검색 결과가 가끔 오래된 것부터 나옵니다. 사람 이름으로 찾을 때만 그런 것 같아요.')
    .step('날짜 비교가 문자열로 되어 있는지 확인한다.', '정렬 함수부터 보겠습니다.', read('src/search/sort.ts', KO_SORT))
    .answer(KO_REASON)
    .user('테스트를 먼저 써 주세요.', 2)
    .step(
      '',
      '',
      bashFails(
        'npx vitest run sort',
        '\u001b[31m FAIL \u001b[39m src/search/sort.test.ts > 날짜가 없는 사람은 맨 뒤에 온다\n\n Tests  \u001b[31m1 failed\u001b[39m | \u001b[32m3 passed\u001b[39m (4)\n',
      ),
    )
    .step(
      '',
      '이제 고칩니다.',
      edit(
        'src/search/sort.ts',
        3,
        '  return b.date - a.date;',
        '  return (b.date ?? -Infinity) - (a.date ?? -Infinity) || a.id - b.id;',
      ),
      bash('npx vitest run sort', ' \u001b[32m✓\u001b[39m src/search/sort.test.ts \u001b[2m(4 tests)\u001b[22m 12ms\n'),
    )
    .answer('네 개의 테스트가 모두 통과합니다. 날짜가 없는 사람은 이제 항상 맨 뒤에 오고, 같은 날짜는 `id` 순서입니다.');
  return tale;
}

/** A short Japanese session. */
export function japanese(time: number): Tale {
  const tale = new Tale({ shapes: 'pi', project: 'work/site', title: 'README の手直し', time });
  tale
    .user('README の「はじめに」を、初めての人にも分かるように短くしてください。')
    .step(
      '',
      '今の文章を読みます。',
      read(
        'README.md',
        '# サイト\n\n## はじめに\n\n本リポジトリは静的サイト生成器を用いた構成であり、ビルドには Node.js が必要である。\n',
      ),
    )
    .step(
      '',
      '',
      edit(
        'README.md',
        5,
        '本リポジトリは静的サイト生成器を用いた構成であり、ビルドには Node.js が必要である。',
        'サイトの原稿はすべてここにあります。`npm start` で手元のブラウザに表示されます（Node.js 20 以上）。',
      ),
    )
    .answer('二文にまとめました。必要なものと、最初に打つコマンドだけが残っています。');
  return tale;
}

const LOGIN = `<script lang="ts">
  import { login } from '../api/login.ts';
  let name = $state('');
  let password = $state('');
  let pending = $state(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    pending = true;
    await login(name, password);
    pending = false;
  }
</script>

<form onsubmit={submit}>
  <label>用户名 <input bind:value={name} /></label>
  <label>密码 <input type="password" bind:value={password} /></label>
  <button type="submit">登录</button>
</form>
`;

const ZH_REASON = `原因很简单：\`pending\` 虽然被设置，但按钮没有用它，所以第二次点击会再发一次请求；后端的 \`createSession\` 也不去重。

两种办法：

1. **前端**：提交期间禁用按钮（改动约 5 行）
2. **后端**：同一用户两秒内的重复请求返回同一个会话（要加一个带过期时间的键）

建议先做第一种，第二种可以以后再加。`;

const ZH_SERVER = `大约一小时：

- \`createSession\` 前用 \`SET login:<用户> NX PX 2000\` 抢一个键
- 抢不到就等第一个请求的结果，返回同一个会话
- 需要两个测试：并发的两次登录、两秒后的再次登录

风险：如果第一个请求失败，键要马上删掉，否则用户要等两秒。`;

const KO_SORT = `export function byDate(a: Hit, b: Hit): number {
  // 날짜는 밀리초
  return b.date - a.date;
}
`;

const KO_REASON = `사람 결과에는 \`date\`가 없을 수 있습니다. 그러면 \`b.date - a.date\`가 \`NaN\`이 되고, 비교 함수가 \`NaN\`을 돌려주면 정렬 순서는 정해지지 않습니다.

문서에만 날짜가 항상 있으므로 사람 이름으로 찾을 때만 보입니다.`;
