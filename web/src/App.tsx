import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from './api/client.ts';
import { styleNonce } from './boot.ts';
import { createAppRouter } from './router.tsx';
import { theme } from './theme.ts';
import { Notices } from './ui/Notices.tsx';

/** A rejection would be repeated; only an unavailable server is worth a retry. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 503);
}

export function App() {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: isWorthRetrying, refetchOnWindowFocus: false } } }),
  );
  const [router] = useState(() => createAppRouter(client));
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <Notices />
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
