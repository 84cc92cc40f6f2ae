import { Program, withFolder } from './program.ts';
import type { Row } from './report.ts';
import { median } from './statistics.ts';

/** From the start of the process to its ready line, on a folder that a run before has filled. */
export async function benchStart(): Promise<Row[]> {
  return withFolder(async (folder) => {
    await (await Program.start(folder)).stop();
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const program = await Program.start(folder);
      times.push(program.readyMs / 1000);
      await program.stop();
    }
    return [{ name: 'ready on an existing data folder', unit: 's', subject: median(times), goal: '≤ 2' }];
  });
}
