import { BackupError } from '../../backup/backup-error.ts';

/** Between two files: ends work that can be taken back. @throws {BackupError} after SIGINT or SIGTERM */
export function rejectStopped(stopSignal: AbortSignal): void {
  if (stopSignal.aborted) throw new BackupError('It was interrupted; what it had written was removed.');
}
