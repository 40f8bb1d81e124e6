/**
 * Value for XML: members of an object become elements, entries of an array repeat `item` or
 * `member`.
 */
export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlValue[]
  | { readonly [name: string]: XmlValue };

export function toXml(value: XmlValue, entry: 'item' | 'member'): string {
  if (value === undefined) return '';
  if (Array.isArray(value))
    return value.map((one: XmlValue) => `<${entry}>${toXml(one, entry)}</${entry}>`).join('');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => `<${name}>${toXml(member as XmlValue, entry)}</${name}>`)
      .join('');
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
