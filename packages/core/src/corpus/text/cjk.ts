/** Chinese, Japanese and Korean prose put together from hand-written parts. */
import type { Random } from '../base/random.ts';
import { identifier } from './prose.ts';

export type Language = 'en' | 'zh' | 'ja' | 'ko';

const ZH_SUBJECT =
  '这个函数 缓存层 登录接口 数据库连接池 分支合并逻辑 用户会话 搜索索引 配置文件 单元测试 错误处理 前端页面 消息队列 定时任务 导出功能 权限检查'.split(
    ' ',
  );
const ZH_ACTION =
  '需要重构 返回了错误的结果 在并发时会死锁 没有处理空值 太慢了 应该加上超时 可以拆成两个模块 缺少测试 和文档不一致 已经修好了 仍然会丢数据 占用内存过多'.split(
    ' ',
  );
const ZH_LINK = '所以 但是 另外 因此 不过 接下来 首先 最后 同时 也就是说'.split(' ');
const ZH_EXTRA =
  '请先看一下日志 然后再跑一遍测试 保持接口不变 不要改公共类型 注意悬空指针 顺便更新文档 先写一个能失败的测试 把结果贴给我 用最简单的办法'.split(
    ' ',
  );

const JA_SUBJECT = 'この関数は キャッシュは ログイン画面は 設定ファイルは テストは 検索結果は セッションは エラー処理は'.split(
  ' ',
);
const JA_ACTION = '遅すぎます 直りました 空の値を返します まだ失敗します 分割できます 確認が必要です 正しく動きません'.split(' ');

const KO_SUBJECT = '이 함수는 캐시가 로그인 화면이 설정 파일이 테스트가 검색 결과가 세션이 사용자 권한이'.split(' ');
const KO_ACTION =
  '너무 느립니다 실패합니다 고쳐졌습니다 빈 값을 돌려줍니다 확인이 필요합니다 두 번 호출됩니다 사람이 읽기 어렵습니다'.split(' ');

/** Sentences of a language other than English until about `size` characters are there. */
export function cjkParagraph(random: Random, language: Exclude<Language, 'en'>, size: number): string {
  let out = cjkSentence(random, language);
  while (out.length < size) out += (language === 'ko' ? ' ' : '') + cjkSentence(random, language);
  return out;
}

function cjkSentence(random: Random, language: Exclude<Language, 'en'>): string {
  if (language === 'ja') return `${random.pick(JA_SUBJECT)} \`${identifier(random)}\` で${random.pick(JA_ACTION)}。`;
  if (language === 'ko') return `${random.pick(KO_SUBJECT)} \`${identifier(random)}\` 때문에 ${random.pick(KO_ACTION)}.`;
  const start = random.chance(0.4) ? `${random.pick(ZH_LINK)}，` : '';
  const middle = random.chance(0.5) ? `（见 \`${identifier(random)}\`）` : '';
  const end = random.chance(0.5) ? `，${random.pick(ZH_EXTRA)}` : '';
  return `${start}${random.pick(ZH_SUBJECT)}${middle}${random.pick(ZH_ACTION)}${end}。`;
}
