import { useQuery } from '@tanstack/react-query';
import type { PastDashboardRecord } from '../../../../src/contract/dashboard-version.ts';
import { ApiError } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showDone } from '../../ui/notify.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { LostAlerts } from '../alerts/LostAlerts.tsx';
import { useRestoreVersion } from './version-queries.ts';

export interface RestoreVersionProps {
  dashboardId: string;
  past: PastDashboardRecord;
  /** Of what it is compared with. */
  etag: string | undefined;
  onClose: () => void;
}

/** Asks before a past version becomes the next one, and names the alerts that this deletes. */
export function RestoreVersion({ dashboardId, past, etag, onClose }: RestoreVersionProps) {
  const { version, dashboard, deletedAlerts } = past;
  const alerts = useQuery(alertsQuery).data ?? [];
  const restore = useRestoreVersion(dashboardId);
  const confirm = () =>
    restore.mutate(
      { version, etag },
      {
        onSuccess: () => {
          showDone(`Version ${version} was restored.`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      verb={`Restore version ${version} of`}
      subject={dashboard.name}
      buttonLabel={deletedAlerts.length > 0 ? 'Restore and delete the alerts' : 'Restore'}
      consequence="It becomes the newest version. The present one stays in this list."
      busy={restore.isPending}
      error={plain(restore.error)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <LostAlerts alerts={alerts.filter(({ id }) => deletedAlerts.includes(id))}>
        Restoring deletes the alerts on tiles that this version does not have:
      </LostAlerts>
    </ConfirmDialog>
  );
}

function plain(error: Error | null): Error | null {
  if (!(error instanceof ApiError) || error.status !== 412) return error;
  return new Error('Someone else saved this dashboard in the meantime. Compare again, then restore.');
}
