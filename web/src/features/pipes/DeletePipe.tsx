import { useNavigate } from '@tanstack/react-router';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { showDone } from '../../ui/notify.ts';
import { useDeletePipe } from './pipe-queries.ts';

export interface DeletePipeProps {
  pipe: Pipe;
  service: string;
}

/** Deletes the pipe, once it was confirmed; leads to the list of pipes. */
export function DeletePipe({ pipe, service }: DeletePipeProps) {
  const remove = useDeletePipe(service, pipe.id);
  const navigate = useNavigate();
  const confirmed = async () => {
    await remove.mutateAsync();
    showDone(`“${pipe.name}” deleted.`);
    await navigate({ to: '/pipes' });
  };
  return (
    <ConfirmButton
      verb="Delete"
      subject={pipe.name}
      consequence="The pipe stops, and its positions, its history and what it made at its source are deleted. The rows that it has written stay."
      onConfirm={confirmed}
    />
  );
}
