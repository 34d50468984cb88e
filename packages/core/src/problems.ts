/**
 * Everything that can be wrong with data that we read. Bad data is a result, never an exception:
 * the good part is shown, the bad part is named by one of these codes.
 */
export const PROBLEM_CODES = [
  'bad_json', // a line that is not JSON
  'not_an_object', // JSON, but not an object
  'missing_type', // an object without a string `type`
  'line_too_long', // a line over the limit; it was passed over
  'torn_tail', // the last line has no LF and is not complete
  'nul_bytes', // a run of NUL bytes where a record should be
  'split_record', // raw line feeds break one record over several lines; it is read as meant
  'glued_records', // more than one record on one line
  'invalid_utf8', // bytes that are not UTF-8; shown with replacement characters
  'byte_order_mark', // the file begins with a byte order mark
  'header_missing', // no valid session header
  'header_repeated', // a second header line
  'newer_version', // a format version that we do not know
  'missing_id', // an entry without a usable id
  'duplicate_id', // an id that an earlier entry carries already
  'missing_parent', // a parentId that no entry carries
  'parent_cycle', // entries that are each other's ancestors
  'label_target_missing', // a label on an entry that is not there
  'kept_entry_missing', // a compaction whose first kept entry is not there
  'blob_missing', // a blob that an entry refers to is not in the store
  'blob_corrupt', // a blob whose bytes do not have the hash that it is named by
  'unreadable', // the file or directory could not be read
  'link_skipped', // a symbolic link that leads out of its root, or to something listed already
  'header_invalid', // a header whose fields are not as its format asks
  'seq_gap', // events are missing in a numbered log
  'seq_repeated', // a number was given twice: two have written to the log
  'bad_row', // a row that packs several events, and is not whole
  'frame_damaged', // a compressed frame whose content cannot be had, or is not what it was made of
  'frame_torn', // the last compressed frame is not complete
  'unsupported_format', // a session in a format that this version cannot read
  'not_a_session', // a file without a header and without any entry
  'changed_while_reading', // the file was rewritten under our hands
  'misplaced_session', // a session lies in a directory that its header does not name
  'flat_session', // a session lies directly in a project directory
  'session_repeated', // another session of the root has the same id
  'two_encodings', // a session directory holds the same session twice, raw and compressed
  'version_mismatch', // the name of a log has another version than its header
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

export type Severity = 'info' | 'warning' | 'error';

export interface Problem {
  code: ProblemCode;
  severity: Severity;
  /** One English sentence for logs and libraries; user interfaces translate the code. */
  message: string;
  /** 1-based physical line. */
  line?: number;
  byteOffset?: number;
  entryId?: string;
  path?: string;
}

const SEVERITY: Record<ProblemCode, Severity> = {
  bad_json: 'error',
  not_an_object: 'error',
  missing_type: 'error',
  line_too_long: 'error',
  torn_tail: 'warning',
  nul_bytes: 'error',
  split_record: 'warning',
  glued_records: 'error',
  invalid_utf8: 'warning',
  byte_order_mark: 'info',
  header_missing: 'error',
  header_repeated: 'warning',
  newer_version: 'warning',
  missing_id: 'warning',
  duplicate_id: 'warning',
  missing_parent: 'warning',
  parent_cycle: 'error',
  label_target_missing: 'warning',
  kept_entry_missing: 'warning',
  blob_missing: 'warning',
  blob_corrupt: 'error',
  unreadable: 'error',
  link_skipped: 'info',
  header_invalid: 'warning',
  seq_gap: 'warning',
  seq_repeated: 'warning',
  bad_row: 'warning',
  frame_damaged: 'error',
  frame_torn: 'warning',
  unsupported_format: 'warning',
  not_a_session: 'warning',
  changed_while_reading: 'warning',
  misplaced_session: 'warning',
  flat_session: 'warning',
  session_repeated: 'warning',
  two_encodings: 'warning',
  version_mismatch: 'warning',
};

/** A problem with the severity that its code always has. */
export function problem(code: ProblemCode, message: string, place: Omit<Problem, 'code' | 'severity' | 'message'> = {}): Problem {
  return { code, severity: SEVERITY[code], message, ...place };
}
