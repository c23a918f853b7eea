/** Whether a tool is among those that an agent or a command is offered: names, with patterns or without; `*` matches any text. */
export function isOffered(name: string, offered: readonly string[]): boolean {
  return offered.some((one) => {
    const wanted = one.replace(/\(.*$/s, '').trim().toLowerCase();
    return wanted.endsWith('*') ? name.toLowerCase().startsWith(wanted.slice(0, -1)) : wanted === name.toLowerCase();
  });
}
