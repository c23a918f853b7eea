import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import 'uplot/dist/uPlot.min.css';
import './notice.css';
import './forced-colors.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './api/queries.ts';
import { App } from './app.tsx';
import { colours, theme } from './theme.ts';

const queries = createQueries();

// A page from the back/forward cache may show data that its reader lost the right to, for example by signing out: reload it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={colours} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-center" autoClose={3000} />
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
