import { ActionIcon, Button, Group, Menu, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconBell, IconBookmark, IconChevronDown, IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { SavedSearchRecord } from '../../../../src/contract/saved-search.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink, MenuItemLink } from '../../ui/links.tsx';
import { showDone, showFailure } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { LostAlerts } from '../alerts/LostAlerts.tsx';
import type { EventSource } from './event-columns.ts';
import { printColumns } from './list-columns.ts';
import { changedSearch } from './saved-search-body.ts';
import { savedSearchesQuery, useDeleteSearch, useSaveSearch } from './saved-search-queries.ts';
import type { SearchState } from './search-state.ts';

/** Open, save, change and delete saved searches; watch one with an alert. */
export function SavedSearches({ state }: { state: SearchState }) {
  const { saved, isChanged, source } = state;
  const [dialog, setDialog] = useState<'save' | 'delete'>();
  const save = useSaveSearch();
  const update = () => {
    if (!saved || !source) return;
    const body = changedSearch(saved, searched(state, source));
    save.mutate({ id: saved.id, body }, { onSuccess: () => showDone(`“${saved.name}” saved.`), onError: showFailure });
  };
  return (
    <>
      <OpenMenu />
      {saved && isChanged ? (
        <Button variant="default" onClick={update} loading={save.isPending}>
          Save changes
        </Button>
      ) : null}
      <ReasonedButton
        variant="default"
        leftSection={<IconDeviceFloppy size={14} />}
        reason={source ? undefined : 'Choose a source first.'}
        onClick={() => setDialog('save')}
      >
        {saved ? 'Save as' : 'Save'}
      </ReasonedButton>
      {saved ? (
        <>
          <ButtonLink
            variant="default"
            leftSection={<IconBell size={14} />}
            to="/alerts/new"
            search={{ savedSearchId: saved.id }}
          >
            Alert
          </ButtonLink>
          <ActionIcon variant="default" size={30} aria-label="Delete saved search" onClick={() => setDialog('delete')}>
            <IconTrash size={15} />
          </ActionIcon>
          <DeleteDialog saved={saved} opened={dialog === 'delete'} onClose={() => setDialog(undefined)} />
        </>
      ) : null}
      <SaveDialog state={state} opened={dialog === 'save'} onClose={() => setDialog(undefined)} />
    </>
  );
}

/** What is kept of a search: what it asks for, its columns and its order. */
function searched({ where, language, view }: SearchState, source: EventSource) {
  const select = printColumns(view.columns, source);
  return { sourceId: source.id, where, whereLanguage: language, select, orderBy: view.orderBy };
}

function OpenMenu() {
  const { data = [], isPending, error } = useQuery(savedSearchesQuery);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = data.filter(({ name, tags }) => `${name}\n${tags.join('\n')}`.toLowerCase().includes(wanted));
  return (
    <Menu position="bottom-end" width={300} withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={14} />} rightSection={<IconChevronDown size={13} />}>
          Saved searches
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {data.length > 8 ? (
          <TextInput
            size="xs"
            p={4}
            aria-label="Find a saved search"
            placeholder="Name or tag"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : null}
        {error ? <Menu.Label>{error.message}</Menu.Label> : null}
        {!isPending && !error && data.length === 0 ? (
          <Menu.Label>None yet. Save this search to come back to it, share it or create an alert on it.</Menu.Label>
        ) : null}
        {found.map(({ id, name, tags }) => (
          <MenuItemLink key={id} to="/search/$savedSearchId" params={{ savedSearchId: id }}>
            {name}
            {tags.length > 0 ? (
              <Text span size="xs" c="var(--sb-muted)">
                {' '}
                {tags.join(', ')}
              </Text>
            ) : null}
          </MenuItemLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

function SaveDialog({ state, opened, onClose }: DialogProps & { state: SearchState }) {
  const [name, setName] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const save = useSaveSearch();
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.source || name.trim() === '') return;
    const body = { name: name.trim(), tags, ...searched(state, state.source) };
    save.mutate(
      { body },
      {
        onSuccess: async ({ id }) => {
          showDone(`“${body.name}” saved.`);
          onClose();
          await navigate({ to: '/search/$savedSearchId', params: { savedSearchId: id } });
        },
      },
    );
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Save this search">
      <form onSubmit={submit}>
        <Stack gap={12}>
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TagsInput label="Tags" maxTags={50} value={tags} onChange={setTags} description="Press Enter after each." />
          {save.error ? <ErrorNotice error={save.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function DeleteDialog({ saved, opened, onClose }: DialogProps & { saved: SavedSearchRecord }) {
  const remove = useDeleteSearch();
  const navigate = useNavigate();
  const alerts = useQuery({ ...alertsQuery, enabled: opened }).data ?? [];
  const confirm = () =>
    remove.mutate(saved.id, {
      onSuccess: async () => {
        onClose();
        await navigate({ to: '/search' });
      },
    });
  return (
    <ConfirmDialog
      opened={opened}
      verb="Delete"
      subject={saved.name}
      consequence="Links to it stop working, and the alerts on it are deleted. Events are not deleted."
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <LostAlerts alerts={alerts.filter(({ savedSearchId }) => savedSearchId === saved.id)}>
        Alerts that will be deleted:
      </LostAlerts>
    </ConfirmDialog>
  );
}
