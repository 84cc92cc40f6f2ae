import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface AcknowledgedWrite {
  twins: [string, string];
  version: number;
}

export interface WriterRun {
  acknowledged: AcknowledgedWrite[];
  /** 0 if the writer finished normally. */
  exitCode: number | null;
  errors: string;
}

const writerFile = join(import.meta.dirname, 'metadata-writer.ts');

/** Runs the writer to its end, or kills it (SIGKILL) as soon as it has acknowledged `killAfter` writes. */
export async function runMetadataWriter(
  file: string,
  tenantId: string,
  until: { pairs: number } | { killAfter: number },
): Promise<WriterRun> {
  const pairs = 'pairs' in until ? [`${until.pairs}`] : [];
  const child = spawn(process.execPath, ['--import', 'tsx', writerFile, file, tenantId, ...pairs], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const closed = once(child, 'close');
  const acknowledged: AcknowledgedWrite[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const write = parseAcknowledgement(line);
    if (write) acknowledged.push(write);
    if ('killAfter' in until && acknowledged.length === until.killAfter) child.kill('SIGKILL');
  }
  await closed;
  return { acknowledged, exitCode: child.exitCode, errors: errors.join('') };
}

/** The kill may have cut the last line. */
function parseAcknowledgement(line: string): AcknowledgedWrite | undefined {
  return line.endsWith('}') ? JSON.parse(line) : undefined;
}
