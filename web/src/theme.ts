import { Button, createTheme, Drawer, type MantineColorsTuple, Modal } from '@mantine/core';

/** One calm accent; states keep green, red and amber to themselves. */
const signal: MantineColorsTuple = [
  '#eef3ff',
  '#dce4f5',
  '#b9c7e2',
  '#94a8d0',
  '#748dc1',
  '#5f7cb8',
  '#4c6cac',
  '#3d5c9c',
  '#33528f',
  '#264579',
];

/** From text to the canvas, of one temperature with the surfaces of global.css. */
const dark: MantineColorsTuple = [
  '#d3d8df',
  '#b7bec8',
  '#9aa2ad',
  '#767e8a',
  '#3b4047',
  '#2f3338',
  '#25282d',
  '#1b1d20',
  '#16181a',
  '#131517',
];

const systemFont =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

/** Locking the scroll adds a style element without nonce, which the content security policy blocks. */
const overlay = { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } };

/** Forms are as dense as what they are about. By name only, so that pages without a form load none of it. */
const dense = { defaultProps: { size: 'xs' } };

export const theme = createTheme({
  primaryColor: 'signal',
  primaryShade: { light: 7, dark: 6 },
  colors: { signal, dark },
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  headings: {
    fontFamily: systemFont,
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.05rem' } },
  },
  components: {
    Button: Button.extend(dense),
    TextInput: dense,
    NumberInput: dense,
    Select: dense,
    MultiSelect: dense,
    Textarea: dense,
    TagsInput: dense,
    PasswordInput: dense,
    NativeSelect: dense,
    Autocomplete: dense,
    SegmentedControl: dense,
    // Aligns the fields of a row, with or without a description.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // A menu may not have a child that only takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: Modal.extend({ defaultProps: overlay }),
    Drawer: Drawer.extend({ defaultProps: overlay }),
  },
});
