/** A line of the table: what is measured, and by which tasks. */
export interface Row<Task extends string = string> {
  what: string;
  baseline: Task;
  subject: Task;
  /** Most that the ratio may be. */
  budget: number;
  /** Most that the subject may take, ms. */
  mostMs?: number;
  /** Most that the peak memory may be, as a ratio to the baseline's. */
  memory?: number;
  node?: string[];
  runs?: number;
}
