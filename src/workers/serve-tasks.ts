import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Task } from '../kernel/workers.ts';
import type { OutcomeMessage, TaskMessage } from './worker-messages.ts';

/** Any task: what goes in and out is known where it is ordered. */
type AnyTask = Task<never, unknown>;

/** The whole life of a thread: runs one task after the other. */
export function serveTasks(tasks: readonly AnyTask[]): void {
  if (!parentPort) throw new Error('tasks are served in a worker thread');
  const port = parentPort;
  const byName = new Map(tasks.map((task) => [task.name, task]));
  port.on('message', (message: TaskMessage) => void answer(port, byName.get(message.task), message));
}

async function answer(port: MessagePort, task: AnyTask | undefined, { task: name, input }: TaskMessage) {
  try {
    if (!task) throw new Error(`there is no task ${name}`);
    // The caller's types hold for both sides of the message.
    const output = await task.run(input as never);
    post(port, { kind: 'done', output }, task.moved?.(output as never));
  } catch (error) {
    post(port, { kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function post(port: MessagePort, message: OutcomeMessage, moved: ArrayBuffer[] = []): void {
  port.postMessage(message, moved);
}
