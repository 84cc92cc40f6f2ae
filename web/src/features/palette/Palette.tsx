import { Loader, Modal, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { hasTelemetry, service } from '../../boot.ts';
import classes from './Palette.module.css';
import { type EntryGroup, offered, type PaletteEntry } from './palette-entry.ts';
import { recentPaths } from './recent-paths.ts';
import { type Entries, useEntries } from './use-entries.ts';

/** Finds and opens any page, dashboard, alert, saved search, service or trace by typing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const choose = ({ link }: PaletteEntry) => {
    onClose();
    if ('document' in link) location.assign(link.document);
    else void navigate(link);
  };
  return (
    <Modal.Root
      opened
      onClose={onClose}
      lockScroll={false}
      size={560}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay backgroundOpacity={0.3} />
      <Modal.Content aria-label="Jump to">
        <Finder onChoose={choose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Finder({ onChoose }: { onChoose: (entry: PaletteEntry) => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const known = useEntries();
  const { isLoading } = known;
  const groups = useOffered(text, known);
  const shown = groups.flatMap((group) => group.entries);
  const active = Math.min(at, shown.length - 1);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const entry = shown[active];
    if (event.key === 'Enter' && entry) {
      event.preventDefault();
      onChoose(entry);
      return;
    }
    const next = stepTo(event.key, active, shown.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
          aria-label="Jump to a page, dashboard, alert, search, service or trace id"
          placeholder={hasTelemetry ? 'Name, service or trace id' : 'Organization, service or page'}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        {isLoading ? <Loader size={14} aria-hidden /> : null}
      </div>
      <VisuallyHidden role="status">{countText(text, shown.length)}</VisuallyHidden>
      {shown.length === 0 && !isLoading ? <p className={classes.nothing}>Nothing has this name.</p> : null}
      <Options {...{ id, groups, active, onChoose }} onPoint={setAt} />
    </>
  );
}

interface OptionsProps {
  id: string;
  groups: readonly EntryGroup[];
  active: number;
  onChoose: (entry: PaletteEntry) => void;
  onPoint: (index: number) => void;
}

function Options({ id, groups, active, onChoose, onPoint }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  let index = 0;
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="Places" tabIndex={-1} className={classes.list}>
      {groups.map(({ label, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
        <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
          <div id={`${id}-${label}`} className={classes.group} role="presentation">
            {label}
          </div>
          {entries.map((entry) => {
            const at = index++;
            return (
              <Option
                key={entry.path}
                id={`${id}-${at}`}
                isActive={at === active}
                {...{ entry, index: at }}
                onChoose={() => onChoose(entry)}
                onPoint={() => onPoint(at)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  index: number;
  entry: PaletteEntry;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

/** The focus stays in the field, which names the active option. */
function Option({ id, index, entry, isActive, onChoose, onPoint }: OptionProps) {
  const { label, hint, kind } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
    <div
      id={id}
      data-index={index}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onClick={onChoose}
      onMouseMove={() => !isActive && onPoint()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className={classes.label}>{label}</span>
      {hint ? <span className={classes.hint}>{hint}</span> : null}
      <span className={classes.kind}>{kind}</span>
    </div>
  );
}

function useOffered(text: string, { entries, favourites }: Entries): EntryGroup[] {
  const here = useLocation({ select: ({ pathname }) => pathname });
  const userId = useSession()?.user?.id ?? '';
  const [recent] = useState(() => recentPaths(userId, service?.serviceId));
  return offered(text, { entries, favourites, recent, here, hasEvents: hasTelemetry });
}

function stepTo(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from - 1 + count) % count;
  if (key === 'PageDown') return Math.min(from + 8, count - 1);
  return key === 'PageUp' ? Math.max(from - 8, 0) : undefined;
}

function countText(text: string, count: number): string {
  if (text.trim() === '') return '';
  return count === 1 ? '1 result' : `${count} results`;
}
