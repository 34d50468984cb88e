import { MODELS } from '../session/models.ts';
import { bash, edit, grep, read } from './calls.ts';
import { Tale } from './tale.ts';

/** Ends with an overloaded provider, twice. */
export function failed(time: number): Tale {
  return new Tale({ shapes: 'pi', project: 'work/site', title: 'Release notes for 2.4', time, model: MODELS[1] ?? MODELS[0] })
    .user('Write the release notes for 2.4 from the merged pull requests. Users read them, not developers.')
    .step('', 'What was merged since 2.3:', bash('gh pr list --state merged --search "milestone:2.4" --limit 40', PULLS))
    .answer(NOTES)
    .user('Shorter. And the breaking change comes first.', 5)
    .fail('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
    .user('again', 2)
    .fail('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
}

/** The person stops the model in the middle of a rename that goes too far. */
export function aborted(time: number): Tale {
  return new Tale({ shapes: 'musepi', project: 'work/api', title: 'Rename the config keys', time })
    .user('Rename cacheTtl to cacheSeconds in the config and everywhere it is read.')
    .step(
      '',
      '',
      grep(
        'cacheTtl',
        'src',
        'src/config.ts:14:  cacheTtl: number;\nsrc/cache/ttl.ts:3:  constructor(private readonly cacheTtl: number) {}\nsrc/routes/rates.ts:22:    ttl: config.cacheTtl,\n',
      ),
    )
    .step(
      '',
      '',
      edit(
        'src/config.ts',
        14,
        '  cacheTtl: number;',
        '  cacheSeconds: number;',
        ['export interface Config {'],
        ['  port: number;'],
      ),
    )
    .step(
      'The key in the environment is CACHE_TTL. Maybe rename that too.',
      'Now the environment variables and the deployment files:',
      grep('CACHE_TTL', '.', 'deploy/production.env:7:CACHE_TTL=300\ndeploy/staging.env:7:CACHE_TTL=300\n'),
    )
    .abort('I will rename CACHE_TTL in both deployment files and')
    .user('Stop. The environment stays as it is, production reads it. Only src/.', 1)
    .step(
      '',
      '',
      edit('src/config.ts', 31, "  cacheTtl: number('CACHE_TTL', 300),", "  cacheSeconds: number('CACHE_TTL', 300),"),
      edit('src/routes/rates.ts', 22, '    ttl: config.cacheTtl,', '    ttl: config.cacheSeconds,'),
    )
    .abort('Both places in src/ now read `cacheSeconds`. There is one m');
}

/** The last call never came back: the machine went to sleep. */
export function interrupted(time: number): Tale {
  return new Tale({ shapes: 'pi', project: 'work/site', title: 'Why is the build slow?', time })
    .user('The site takes four minutes to build. Find out where the time goes.')
    .step('', '', bash('time npm run build -- --profile', PROFILE))
    .answer('**171 of 238 seconds** are image resizing: 1,204 pictures, three sizes each, and nothing is cached between builds.')
    .user('Try a cache in .cache/images, keyed by content.', 3)
    .step('', '', read('scripts/images.mjs', IMAGES))
    .step(
      '',
      'Cache by the hash of the file and the wanted width. First a full build to fill it:',
      edit('scripts/images.mjs', 9, '      await resize(file, width, target);', CACHED),
      { tool: 'bash', args: { command: 'rm -rf .cache && npm run build' } },
    );
}

/** The session whose file the demo damages. */
export function backup(time: number): Tale {
  return new Tale({ shapes: 'musepi', project: 'work/infra', title: 'Nightly backup fails on Sundays', time })
    .user('The nightly backup failed three Sundays in a row. Logs are in /var/log/backup. What is different on Sundays?')
    .step(
      '',
      '',
      bash(
        'ls -l /var/log/backup | tail -4',
        '-rw-r--r-- 1 root root 2214 sat.log\n-rw-r--r-- 1 root root  611 sun.log\n-rw-r--r-- 1 root root 2290 mon.log\n',
      ),
      read('/var/log/backup/sun.log', SUNDAY),
    )
    .answer('On Sundays the *full* backup runs, and it needs 212 GB where 180 GB are free. The incremental ones need 4 GB.')
    .user('Since when are only 180 GB free?', 2)
    .step(
      '',
      '',
      bash(
        'du -sh /backup/* | sort -h | tail -3',
        '61G\t/backup/2025-12\n204G\t/backup/full-previous\n412G\t/backup/media-old\n',
      ),
    )
    .answer('Since `/backup/media-old` appeared: 412 GB, copied there when the media server moved. Nothing refers to it.')
    .user('I can delete that. Add a check that warns before it fails.', 6)
    .step(
      '',
      '',
      edit(
        'backup/full.sh',
        12,
        'tar --create "$SOURCE" | zstd > "$TARGET"',
        'need=$(du -sb "$SOURCE" | cut -f1)\nfree=$(df --output=avail -B1 "$DISK" | tail -1)\n[ "$free" -gt "$need" ] || { warn "full backup needs $need bytes, $free are free"; exit 3; }\ntar --create "$SOURCE" | zstd > "$TARGET"',
      ),
    )
    .answer(
      'The script now compares before it starts and warns through the same mail as before. Test it with `DISK=/mnt/small backup/full.sh`.',
    );
}

const PULLS = `#812  Dark mode for the documentation
#815  Remove the old /feed.rss, use /feed.xml
#820  Search finds words with accents
#823  Faster start page (images load late)
#829  Fix: the menu stayed open after a click
`;

const NOTES = `# 2.4

**New**

- The documentation has a dark mode. It follows your system until you choose.
- Search finds *café* when you type *cafe*.
- The start page shows about a second earlier on a phone.

**Changed**

- The feed is at \`/feed.xml\`. The old address \`/feed.rss\` is gone.

**Fixed**

- The menu closes after a click.`;

const PROFILE = `\u001b[36m[build]\u001b[0m markdown        9.1 s
\u001b[36m[build]\u001b[0m images        171.4 s
\u001b[36m[build]\u001b[0m pages          51.0 s
\u001b[36m[build]\u001b[0m search index    6.2 s

real    3m58.311s
`;

const IMAGES = `import { resize } from './resize.mjs';

const WIDTHS = [480, 960, 1600];

export async function images(files, out) {
  for (const file of files) {
    for (const width of WIDTHS) {
      const target = place(out, file, width);
      await resize(file, width, target);
    }
  }
}
`;

const CACHED = `      const key = [await hashOf(file), width].join('-');
      await cached(key, target, () => resize(file, width, target));`;

const SUNDAY = `03:00:01 full backup starts
03:00:01 source /srv, 212 GB
03:58:44 zstd: error 70: write error: No space left on device
03:58:44 full backup FAILED
`;
