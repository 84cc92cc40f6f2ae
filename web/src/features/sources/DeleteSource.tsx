import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showDone } from '../../ui/notify.ts';
import type { SourceRecord } from '../where-editor/source-queries.ts';
import { useDeleteSource } from './source-editing.ts';

export interface DeleteSourceProps {
  source: SourceRecord;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a source goes, and once more when something uses it: then the API says what. */
export function DeleteSource({ source, opened, onClose }: DeleteSourceProps) {
  const remove = useDeleteSource();
  const navigate = useNavigate();
  const isUsed = remove.error instanceof ApiError && remove.error.status === 409;
  const confirm = () =>
    remove.mutate(
      { id: source.id, force: isUsed },
      {
        onSuccess: async () => {
          showDone(`“${source.name}” deleted.`);
          await navigate({ to: '/sources' });
        },
      },
    );
  return (
    <ConfirmDialog
      opened={opened}
      verb={isUsed ? 'Delete anyway' : 'Delete'}
      subject={source.name}
      consequence="Dashboards, alerts and saved searches that use it stop working. The table and its data are not changed."
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
