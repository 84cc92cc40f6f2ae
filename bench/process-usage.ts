import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** CPU (user and system) of a process so far, in milliseconds, from the kernel's own books. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** CPU of several processes together. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(line?.[1] ?? 0) * 1024) / 1e6;
}

/** The most memory that a process has had so far, in megabytes (10^6 bytes). */
export function peakMb(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(line?.[1] ?? 0) * 1024) / 1e6;
}

/** Direct children of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}
