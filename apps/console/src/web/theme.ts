import { createTheme } from '@mantine/core';

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace",
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 5 },
  defaultRadius: 'md',
  autoContrast: true,
  headings: { fontWeight: '650' },
});
