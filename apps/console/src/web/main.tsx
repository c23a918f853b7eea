import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './notice.css';
import './forced-colors.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/request.ts';
import { signInHere } from './api/sign-in.ts';
import { App } from './app.tsx';
import { colours, theme } from './theme.ts';

// The browser's network state does not show whether the console can be reached, so requests are always sent and changes never
// queued. A refusal is an answer: only a console that was not reachable, or that failed, is retried once.
const queries = new QueryClient({
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      // A database or a console that is down comes back: what could not be read is read again by itself.
      refetchInterval: ({ state: { error } }) =>
        error instanceof ApiError && (error.status === 0 || error.status === 503) ? 5_000 : false,
      staleTime: 5_000,
    },
  },
});

// A page from the back/forward cache may show data that its reader lost the right to, for example by signing out: reload it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById('root');
if (root === null) {
  // A page of the console that was opened without a session: the sign-in returns here, including the fragment.
  location.replace(signInHere());
} else
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
