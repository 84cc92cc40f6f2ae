import { env } from 'node:process';
import type { Task } from '../../kernel/workers.ts';

export const double: Task<number, number> = { name: 'double', run: (input) => input * 2 };

export const fail: Task<string, never> = {
  name: 'fail',
  run: (message) => {
    throw new Error(message);
  },
};

export const spin: Task<null, never> = {
  name: 'spin',
  run: () => {
    for (;;);
  },
};

export const fill: Task<null, number> = {
  name: 'fill',
  run: () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => `${kept.length}-${index}`));
  },
};

export const reverse: Task<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> = {
  name: 'reverse',
  run: (bytes) => bytes.reverse(),
  moved: (bytes) => [bytes.buffer],
};

export const environment: Task<null, string[]> = { name: 'environment', run: () => Object.keys(env) };

export const testTasks = [double, fail, spin, fill, reverse, environment];
