import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CreateKeyForm } from './CreateKeyForm.tsx';
import { KeyTable } from './KeyTable.tsx';
import { type NewKey, useKeys } from './key-queries.ts';
import { RotateKeyForm } from './RotateKeyForm.tsx';

export interface KeyPanelProps {
  title: string;
  description: ReactNode;
  /** Below the API's prefix: `keys`. */
  path: string;
  /** "personal key", in buttons and empty states. */
  noun: string;
  /** What one is made for, said while there is none. */
  purpose: string;
  withRole?: boolean;
  withRotation?: boolean;
  /** What to show of a new secret, the only time that it can be shown. */
  showSecret: (key: NewKey) => ReactNode;
}

/** The keys of one kind: what is there, and how to make, rotate and revoke them. */
export function KeyPanel({ title, description, path, noun, purpose, showSecret, ...options }: KeyPanelProps) {
  const keys = useKeys(path);
  const [creating, { open, close }] = useDisclosure();
  const [fresh, setFresh] = useState<NewKey>();
  const [rotating, setRotating] = useState<string>();
  const reveal = (key: NewKey) => {
    close();
    setRotating(undefined);
    setFresh(key);
  };
  const actions = (
    <Button leftSection={<IconPlus size={14} />} onClick={open}>
      New {noun}
    </Button>
  );
  return (
    <Panel title={title} description={description} actions={actions}>
      {keys.error ? <ErrorNotice error={keys.error} onRetry={keys.refetch} /> : null}
      {keys.data?.length === 0 ? (
        <EmptyState title={`No ${noun} yet`} hint={`${purpose} The secret is shown once, when the key is created.`} />
      ) : null}
      {keys.isPending || (keys.data && keys.data.length > 0) ? (
        <KeyTable
          keys={keys.data}
          path={path}
          label={title}
          {...(options.withRotation ? { onRotate: setRotating } : {})}
        />
      ) : null}
      <Modal opened={creating} onClose={close} title={`New ${noun}`}>
        <CreateKeyForm path={path} withRole={options.withRole ?? false} onCreated={reveal} />
      </Modal>
      <Modal opened={rotating !== undefined} onClose={() => setRotating(undefined)} title={`Rotate ${noun}`}>
        {rotating === undefined ? null : <RotateKeyForm path={path} id={rotating} onRotated={reveal} />}
      </Modal>
      <Modal
        size="xl"
        closeOnClickOutside={false}
        opened={fresh !== undefined}
        onClose={() => setFresh(undefined)}
        title="Copy the secret now; it will not be shown again"
      >
        {fresh ? showSecret(fresh) : null}
      </Modal>
    </Panel>
  );
}
