/** Runs one task and prints what it took. The first argument is its name. */
import { TASKS, type TaskName } from './tasks.ts';

const task = TASKS[process.argv[2] as TaskName];
const start = performance.now();
const result = await task();
const ms = typeof result === 'number' ? performance.now() - start : result.ms;
console.log(JSON.stringify({ ms, result, peakBytes: process.resourceUsage().maxRSS * 1024 }));
