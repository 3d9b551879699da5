/** Channel and message by which a window's page gets its one port to the host. */
export const portMessage = 'recovery-lab:port';
