/** The page that most kinds have: open to all, at the usual path, on without any flag. */
export const openPage = {
  path: '/metrics',
  accept: 'text/plain; version=0.0.4',
  guarded: false,
  onByDefault: true,
} as const;
