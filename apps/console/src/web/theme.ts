import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace",
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } } },
});

/** The library's quiet colours fall short of the contrast that WCAG 2.2 asks of small text (4.5 to 1). */
export const colours: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-teal-light-color': '#046b4b',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-gray-light-color': colors.gray[8],
    '--mantine-color-indigo-light-color': colors.indigo[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.gray[5],
    '--mantine-color-placeholder': colors.gray[5],
    '--mantine-color-gray-light-color': colors.gray[3],
    '--mantine-color-indigo-light-color': colors.indigo[2],
    '--mantine-color-indigo-text': colors.indigo[3],
    '--mantine-color-red-light-color': colors.red[3],
  },
});
