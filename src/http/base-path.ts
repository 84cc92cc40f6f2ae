/**
 * A request's target below the sub-path under which browsers see the pages. Proxies may take the sub-path off or leave
 * it on: both work. `basePath` has slashes at both ends.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '/') return url;
  const bare = basePath.slice(0, -1);
  if (url.startsWith(basePath)) return url.slice(bare.length);
  return url === bare || url.startsWith(`${bare}?`) ? `/${url.slice(bare.length)}` : url;
}
