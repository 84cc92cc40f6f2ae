import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { LostAlerts } from '../alerts/LostAlerts.tsx';
import type { AlertLoss } from './use-dashboard-draft.ts';

export interface SaveLossProps {
  loss: AlertLoss;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a save deletes alerts: their tile is gone, or became a kind that no alert can watch. */
export function SaveLoss({ loss: { dashboard, alerts }, ...rest }: SaveLossProps) {
  const count = alerts.length === 1 ? '1 alert' : `${alerts.length} alerts`;
  return (
    <ConfirmDialog
      opened
      verb="Save"
      subject={dashboard.name}
      buttonLabel={`Save and delete ${count}`}
      error={null}
      {...rest}
    >
      <LostAlerts alerts={alerts}>
        Saving deletes the alerts on tiles that you deleted or changed to a kind that no alert can watch:
      </LostAlerts>
    </ConfirmDialog>
  );
}
