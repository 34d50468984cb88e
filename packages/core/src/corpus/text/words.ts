/** The words that open the vocabulary, most frequent first: plain English, then the talk of programmers. */
export const COMMON = (
  'the to of a and in is that it for on with this be as are not we i at by from or an you if can so have was but all when ' +
  'there no will one which they what has more would out up do then now only into its our them these than other should my ' +
  'some how time where also after before because each does first any over just same very two like use see make need still ' +
  'get back here new both being through most while between does without about work may way every last such well next own ' +
  'already again once since under always never until instead around keep want whether another why must though down run set ' +
  'too did good part against small change read write call add fix check give take move look try find file line code test'
).split(' ');

export const TECHNICAL = (
  'function error value type server request response cache index query table column row schema token session entry branch ' +
  'commit merge build deploy release version module package import export class method field object array string number ' +
  'boolean null undefined promise async await callback event handler listener stream buffer chunk byte offset length limit ' +
  'cursor page route path url header body cookie client socket port host timeout retry queue worker thread lock mutex pool ' +
  'connection transaction rollback migration fixture mock stub snapshot assertion coverage suite runner config option flag ' +
  'default environment variable secret key hash digest signature encode decode parse format render template component state ' +
  'store reducer selector hook effect props slot style layout grid theme colour contrast focus keyboard tree node leaf root ' +
  'parent child edge graph walk depth cycle order sort filter map reduce fold search match pattern regex prefix suffix ' +
  'substring unicode locale charset escape quote newline tab trim split join slice copy clone merge diff patch hunk context ' +
  'log trace debug info warning metric counter gauge histogram percentile latency throughput budget baseline regression ' +
  'memory heap leak garbage collector allocation pointer reference borrow lifetime trait enum struct union tuple generic ' +
  'interface compiler linker bundler loader plugin middleware proxy gateway balancer container image volume registry pod ' +
  'service cluster shard replica leader follower quorum snapshot backup restore archive compress inflate checksum integrity ' +
  'permission owner group policy audit role scope grant revoke login logout password account profile avatar invoice payment ' +
  'order cart product catalogue price discount stock shipment address country currency rate report chart dashboard widget'
).split(' ');

export const EXTENSIONS = ['ts', 'ts', 'ts', 'tsx', 'py', 'go', 'rs', 'sql', 'json', 'md', 'svelte', 'yml'] as const;
export const FOLDERS = ['src', 'src', 'lib', 'test', 'apps/web/src', 'packages/core/src', 'internal', 'scripts', 'docs'] as const;
