import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, findingsOf } from './finding.ts';

const megabyte = 1e6;
const freeMin = 200 * megabyte;
const freeLow = 2_000 * megabyte;
/** File systems over a network: locks and the order of writes are not what databases rely on. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x65735546, 'FUSE'],
]);

export interface FolderFacts {
  /** Absolute. */
  folder: string;
  /** User id of this process; absent on systems without them. */
  uid?: number | undefined;
}

/** Whether the folder exists, who may use it, and how much room it has. */
export async function checkDataFolder({ folder, uid }: FolderFacts): Promise<Finding[]> {
  const finding = findingsOf('data folder');
  if (!existsSync(folder)) {
    const parent = nearestFolder(folder);
    if (await isWritable(parent)) return [finding.ok(`${folder} does not exist yet; the first start makes it.`)];
    return [
      finding.error(`${folder} does not exist, and ${parent} is not writable.`, 'Make it, or set SIGNALBOX_DATA_DIR.'),
    ];
  }
  if (!(await isWritable(folder))) {
    return [
      finding.error(`${folder} is not writable for this user.`, 'Give it to the user that runs the program (chown).'),
    ];
  }
  const { mode, uid: owner } = await stat(folder);
  const findings = [finding.ok(`${folder} is writable.`)];
  if (uid !== undefined && owner !== uid) {
    const advice = 'Run the program and its commands as the same user (chown gives it to one).';
    findings.push(finding.warning('It belongs to another user than the one who asks.', advice));
  }
  if ((mode & 0o022) !== 0) {
    findings.push(finding.warning('Other users may change what is in it.', `chmod go-w ${folder}`));
  }
  return [...findings, ...(await checkDisk(folder))];
}

async function checkDisk(folder: string): Promise<Finding[]> {
  const finding = findingsOf('disk');
  const { bavail, bsize, blocks, files, ffree, type } = await statfs(folder);
  const free = bavail * bsize;
  const amount = `${Math.floor(free / megabyte)} MB of ${Math.floor((blocks * bsize) / megabyte)} MB are free.`;
  const more = 'Free some room, enlarge the disk, or shorten SIGNALBOX_RETENTION_DAYS_*.';
  const network = networkTypes.get(type);
  return [
    free < freeMin ? finding.error(amount, more) : free < freeLow ? finding.warning(amount, more) : finding.ok(amount),
    ...(files > 0 && ffree / files < 0.02
      ? [
          finding.warning(
            `Only ${ffree} more files can be made (inodes).`,
            'Remove files, or use a file system with more inodes.',
          ),
        ]
      : []),
    ...(network === undefined
      ? []
      : [
          finding.warning(
            `The data folder is on ${network}.`,
            'Use a local disk, or ClickHouse and PostgreSQL servers.',
          ),
        ]),
  ];
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : nearestFolder(parent);
}
