import { Select } from '@mantine/core';
import { useUrlState } from '../../url-state.ts';
import { useSpanSource } from './use-span-source.ts';

/** Only where there is a choice. */
export function ServiceSourceSelect() {
  const [, change] = useUrlState();
  const { sources, source } = useSpanSource();
  if (sources.length < 2) return null;
  return (
    <Select
      aria-label="Trace source"
      w={170}
      value={source?.id ?? null}
      allowDeselect={false}
      data={sources.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => change({ source: id ?? undefined })}
    />
  );
}
