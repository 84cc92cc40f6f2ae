import { readFile } from 'node:fs/promises';
import { checkOpenFiles } from '../open-files.ts';
import { StartError } from '../start-error.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Enough for hundreds of parts that are merged and read at the same time. */
const openFilesWanted = 8_192;

export async function checkOpenFileLimit(readLimits = () => readFile('/proc/self/limits', 'utf8')): Promise<Finding[]> {
  const finding = findingsOf('open files');
  try {
    await checkOpenFiles(readLimits);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [finding.error(error.message, 'In a systemd unit: LimitNOFILE=65536; in Compose: ulimits.')];
  }
  const text = await readLimits().catch(() => '');
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (limit === undefined) return [finding.ok('This system does not report its limit.')];
  if (Number(limit) < openFilesWanted) {
    return [
      finding.warning(
        `At most ${limit} files may be open.`,
        `Raise the limit to ${openFilesWanted} or more (ulimit -n).`,
      ),
    ];
  }
  return [finding.ok(`At most ${limit} files may be open.`)];
}
