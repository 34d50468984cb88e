import { dshRules } from '../context/rules-dsh.ts';
import { titleChange } from '../entries/title-change.ts';
import type { Shapes } from './define-shapes.ts';
import { musepi } from './musepi.ts';

/** DeepSeek Harness. Its logs are only read: what is written elsewhere of them is written as MusePi does. */
export const dsh: Shapes = {
  id: 'dsh',
  events: true,
  folders: ['.dsh'],
  // Its folders are named as others' are; what lies in them tells.
  isBucketName: () => false,
  weigh: ({ isHarness }) => (isHarness === true ? 2 : 0),
  context: dshRules,
  emptyForNull: true,
  titleEntry: titleChange.type,
  modifiedBy: 'message',
  writes: musepi.writes,
};
