/** systemd adds `.service` by itself, but a drop-in's folder needs the whole name. */
export function unitName(unit: string): string {
  return unit.endsWith('.service') ? unit : `${unit}.service`;
}
