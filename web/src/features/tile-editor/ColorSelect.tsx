import { ColorSwatch, Group, Select, Text, useComputedColorScheme } from '@mantine/core';
import { chartColors } from '../../../../src/contract/chart-colors.ts';
import { colorOfToken } from '../../charts/palette.ts';

export interface ColorSelectProps {
  label: string;
  /** '' is none. */
  value: string;
  onChange: (value: string | undefined) => void;
  required?: boolean;
}

/** `chart-light-blue` as "Light blue". */
function nameOf(token: string): string {
  const words = token.replace(/^chart-/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One of the colours that charts have. */
export function ColorSelect({ label, value, onChange, required = false }: ColorSelectProps) {
  const scheme = useComputedColorScheme();
  const swatch = (token: string) => <ColorSwatch color={colorOfToken(token, scheme) ?? ''} size={12} aria-hidden />;
  return (
    <Select
      label={label}
      placeholder="As text"
      w={150}
      clearable={!required}
      allowDeselect={!required}
      data={chartColors.map((token) => ({ value: token, label: nameOf(token) }))}
      value={value === '' ? null : value}
      leftSection={value === '' ? null : swatch(value)}
      onChange={(next) => onChange(next ?? undefined)}
      renderOption={({ option }) => (
        <Group gap={8}>
          {swatch(option.value)}
          <Text size="xs">{option.label}</Text>
        </Group>
      )}
    />
  );
}
