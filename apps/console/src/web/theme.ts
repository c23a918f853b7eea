import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** A dialog breaks a long name anywhere: its title must not push the button that closes it off the screen. */
const DIALOG = {
  // Its head stays at the top: what the keyboard reaches is scrolled to below it, with its label.
  styles: { title: { fontWeight: 600, minWidth: 0 }, content: { overflowWrap: 'anywhere', scrollPaddingTop: 130 } },
} as const;
const CLOSE = { defaultProps: { 'aria-label': 'Close' } };

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace",
  primaryColor: 'indigo',
  // On dark too: a shade darker, the contrast of the focus ring would be below WCAG 2.2's 3 to 1.
  primaryShade: 7,
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // Text too long for a closed field ends in an ellipsis, which shows that it continues.
    // In the colour of a fault, an example looks like a text that was typed.
    Input: {
      styles: {
        input: { textOverflow: 'ellipsis' },
        wrapper: { '--input-placeholder-color': 'var(--mantine-color-placeholder)' },
      },
    },
    Select: { defaultProps: { withAlignedLabels: true } },
    Modal: DIALOG,
    Drawer: DIALOG,
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    ModalCloseButton: CLOSE,
    DrawerCloseButton: CLOSE,
    // The page has one banner, which is not the head of a dialog.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** The library's quiet colours fall short of the contrast that WCAG 2.2 asks of small text (4.5 to 1). */
export const colours: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--code-keyword': colors.indigo[9],
    '--code-string': '#2b6a2f',
    '--code-type': '#8a3b00',
    '--code-variable': colors.violet[9],
    '--chart-1': colors.indigo[7],
    '--chart-2': colors.cyan[7],
    '--chart-3': colors.orange[7],
    '--chart-4': colors.grape[6],
    '--chart-5': colors.lime[8],
    '--chart-6': colors.gray[5],
    '--chart-before': colors.gray[7],
    '--mantine-color-anchor': colors.indigo[8],
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-red-text': colors.red[9],
    '--mantine-color-teal-light-color': '#046b4b',
    '--mantine-color-teal-text': '#046b4b',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-gray-light-color': colors.gray[8],
    '--mantine-color-indigo-light-color': colors.indigo[9],
  },
  dark: {
    '--code-keyword': colors.indigo[2],
    '--code-string': colors.green[3],
    '--code-type': colors.orange[3],
    '--code-variable': colors.violet[2],
    '--chart-1': colors.indigo[5],
    '--chart-2': colors.cyan[3],
    '--chart-3': colors.orange[4],
    '--chart-4': colors.grape[4],
    '--chart-5': colors.lime[4],
    '--chart-6': colors.gray[6],
    '--chart-before': colors.gray[4],
    '--mantine-color-anchor': colors.indigo[3],
    '--mantine-color-dimmed': colors.gray[5],
    '--mantine-color-placeholder': colors.gray[5],
    '--mantine-color-gray-light-color': colors.gray[3],
    '--mantine-color-indigo-light-color': colors.indigo[2],
    '--mantine-color-indigo-text': colors.indigo[3],
    '--mantine-color-red-light-color': colors.red[3],
    '--mantine-color-red-text': colors.red[3],
    '--mantine-color-error': colors.red[3],
    '--mantine-color-teal-text': colors.teal[3],
  },
});
