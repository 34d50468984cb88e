import { MODELS } from '../session/models.ts';
import { bash, edit, grep, read, write } from './calls.ts';
import { Tale } from './tale.ts';

/** Plan mode, a change of model and of thinking, a rule, a service tier. */
export function darkMode(time: number): Tale {
  const tale = new Tale({ shapes: 'musepi', project: 'work/site', title: 'Dark mode for the documentation', time });
  tale
    .entry('mode_change', { mode: 'plan', data: { planFile: 'plan.md' } })
    .think('high')
    .user('Plan a dark mode for the docs. System setting by default, a switch in the header, no flash on load.')
    .step(
      '',
      '',
      grep('#[0-9a-f]{3,6}', 'src/styles', '68 matches in 9 files\n'),
      read('src/layout.html', '<head>\n  <link rel="stylesheet" href="/styles/main.css">\n</head>\n'),
    )
    .step('Tokens first, then the switch, then the flash.', '', write('plan.md', PLAN))
    .answer(
      'The plan is in plan.md: four steps, about three hours. The largest part is replacing 68 literal colours by 14 tokens.',
    )
    .entry('mode_change', { mode: 'none' })
    .switchTo(MODELS[2] ?? MODELS[0])
    .switchTo(MODELS[4] ?? MODELS[0], 'smol')
    .think('low')
    .entry('service_tier_change', { serviceTier: { openai: 'flex' } })
    .entry('ttsr_injection', { injectedRules: ['no-literal-colours'] })
    .user('Do steps 1 and 2.', 12)
    .step(
      '',
      '',
      edit(
        'src/styles/main.css',
        1,
        ':root {',
        ':root {\n  color-scheme: light dark;\n  --paper: light-dark(#fbfaf7, #141312);\n  --ink: light-dark(#1c1b19, #ece9e3);',
      ),
      bash("grep -rEc '#[0-9a-f]{3,6}' src/styles | awk -F: '{n+=$2} END {print n}'", '0\n'),
    )
    .answer(
      'All 68 colours are tokens now; with `light-dark()` there is one list instead of two. The switch sets `color-scheme` on the root element and remembers it.',
    )
    .custom('custom_message', {
      customType: 'reminder',
      content: 'The contrast check of the design system runs on every push.',
      display: true,
      attribution: 'agent',
    })
    .user('Does it flash?', 3)
    .step(
      '',
      '',
      bash('node scripts/flash.mjs --cpu 6', 'first paint 412 ms, background #141312\nno repaint of the background within 3 s\n'),
    )
    .answer('No. The stored choice is applied by a script of three lines in the head, before the first paint.')
    .rename('Dark mode for the docs');
  return tale;
}

/** Short, and about time. */
export function timeZone(time: number): Tale {
  return new Tale({ shapes: 'pi', project: 'work/infra', title: 'Cron job runs an hour late', time })
    .user('Since the clocks changed the invoice job runs at 7 instead of 6. Why?')
    .step(
      '',
      '',
      bash(
        'cat /etc/cron.d/invoices; timedatectl | grep zone',
        'CRON_TZ=UTC\n0 5 * * * app /opt/app/invoices\n                Time zone: Europe/Berlin (CET, +0100)\n',
      ),
    )
    .answer(
      'The job is fixed to **05:00 UTC**. That is 07:00 in summer and 06:00 in winter. Drop `CRON_TZ=UTC` and write `0 6`, then it follows local time.',
    )
    .user('What happens in the night when 2:30 comes twice?', 2)
    .answer(
      'Nothing for you: a job at 06:00 is outside the hour that is repeated or skipped. Jobs between 2 and 3 would run twice or not at all.',
    );
}

const PLAN = `# Dark mode for the documentation

1. Replace the 68 literal colours by 14 tokens
2. Give each token a light and a dark value with \`light-dark()\`
3. A switch with three states in the header: system, light, dark
4. Set \`color-scheme\` before the first paint

Not in this plan: pictures with a white background.
`;
