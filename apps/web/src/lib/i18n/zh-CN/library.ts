import type { library as english } from '../en/library.ts';
import type { Translation } from '../types.ts';

export const library: Translation<typeof english> = {
  title: '会话库',
  sessions: '会话',

  'filter.label': '筛选会话',
  'filter.placeholder': '筛选：标题、提问、文件夹、模型、标签',
  'filter.clear': '清除所有筛选',
  'filter.label_is': '标签 {label}',
  'filter.remove': '移除筛选：{filter}',
  'filter.group': '只看这些会话',
  'status.any': '所有状态',
  'status.now': '当前状态',
  'status.ended': '目前的结束方式',
  'status.label': '状态',
  'with.problems': '有问题',
  'with.branches': '有分支',
  'with.compactions': '有压缩',
  'with.labels': '有标签',

  'sort.label': '排序',
  'sort.modified': '最近更改',
  'sort.created': '开始时间',
  'sort.title': '名称',
  'sort.size': '文件大小',
  'sort.entries': '条目数',
  'sort.tokens': 'token 数',
  'sort.cost': '费用',
  'order.asc': '升序；点击改为降序',
  'order.desc': '降序；点击改为升序',

  'places.label': '项目',
  'places.open': '项目与问题',
  'places.all': '所有会话',
  'places.none': '没有工作目录',
  'places.problems': '问题',
  'places.files': '未列出的文件及原因',
  'places.sessions': '有问题的会话',

  'progress.counting': '正在统计：{done} / {total} 个会话',
  'progress.rate': '{rate}/秒',

  'group.today': '今天',
  'group.yesterday': '昨天',
  'group.week': '最近 7 天',
  'group.unknown': '日期未知',

  'row.untitled': '未命名会话',
  'row.sub': '子会话',
  'row.models': { other: '{first} 及另外 {n} 个' },
  'row.not_counted': '尚未统计',
  'row.changed': '更改于 {time}',
  'row.started': '开始于 {time}',

  'empty.filtered': '没有符合条件的会话',
  'empty.filtered_text': '所选项目和筛选条件下没有会话。',
  'empty.title': '没有找到会话',
  'empty.looked': 'Stemma 在这些位置找过：',
  'empty.found': '存在，但没有会话',
  'empty.missing': '不存在',
  'empty.how': '启动时请给出会话所在的文件夹，或先看演示数据：',

  more_failed: '无法加载更多会话。',
  refresh_failed: '没有得到服务器的新消息，显示的内容可能已过时。',

  'problems.title': '问题',
  'problems.intro': { other: '会话文件夹中有 {n} 个文件或位置不正常。没有改动任何内容。' },
  'problems.folder': '文件夹本身',
};
