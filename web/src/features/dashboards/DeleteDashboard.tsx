import { useQuery } from '@tanstack/react-query';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showDone } from '../../ui/notify.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { LostAlerts } from '../alerts/LostAlerts.tsx';
import { useDeleteDashboard } from './dashboard-queries.ts';

/** Asks before a dashboard goes, and names the alerts that watch its tiles. */
export function DeleteDashboard({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const remove = useDeleteDashboard();
  const alerts = useQuery(alertsQuery).data ?? [];
  const confirm = () =>
    remove.mutate(dashboard.id, {
      onSuccess: () => {
        showDone(`“${dashboard.name}” was deleted.`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      opened
      verb="Delete"
      subject={dashboard.name}
      consequence="The alerts on its tiles are deleted too. For 30 days, both can be restored under Dashboards → Deleted."
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <LostAlerts alerts={alerts.filter(({ dashboardId }) => dashboardId === dashboard.id)}>
        Alerts that will be deleted:
      </LostAlerts>
    </ConfirmDialog>
  );
}
