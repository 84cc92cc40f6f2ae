import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** One accent, for what is chosen and for the main action; states keep green, red and amber to themselves. */
const signal: MantineColorsTuple = [
  '#eef1ff',
  '#dde3ff',
  '#b8c3ff',
  '#8f9fff',
  '#6d80f8',
  '#576bef',
  '#4a5be3',
  '#3d4bcc',
  '#343fac',
  '#272f85',
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

/** Shipped with the pages, so that they look and measure the same everywhere; the rest is for scripts it lacks. */
const textFont = '"Inter Variable", ui-sans-serif, system-ui, "Noto Sans", sans-serif';
const codeFont = '"JetBrains Mono Variable", ui-monospace, "DejaVu Sans Mono", monospace';

/** Locking the scroll adds a style element without nonce, which the content security policy blocks. */
const overlay = { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } };

/** Forms are as dense as what they are about. By name only, so that pages without a form load none of it. */
const dense = { defaultProps: { size: 'xs' } };

/** Rows of 32 pixels. */
const rows = { defaultProps: { verticalSpacing: 5, fz: 13 } };

export const theme = createTheme({
  primaryColor: 'signal',
  primaryShade: { light: 7, dark: 6 },
  colors: { signal, dark },
  fontFamily: textFont,
  fontFamilyMonospace: codeFont,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  headings: {
    fontFamily: textFont,
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.2rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  components: {
    Button: dense,
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
    Table: rows,
    // Aligns the fields of a row, with or without a description.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // A menu may not have a child that only takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: overlay },
    Drawer: { defaultProps: overlay },
  },
});
