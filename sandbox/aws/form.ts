/** Request of AWS's query protocol. */
export class Form {
  readonly #fields: URLSearchParams;

  constructor(text: string) {
    this.#fields = new URLSearchParams(text);
  }

  get action(): string {
    return this.#fields.get('Action') ?? '';
  }

  text(name: string): string | undefined {
    return this.#fields.get(name) ?? undefined;
  }

  /** Returns a list: `Name.1`, `Name.2` in EC2, and `Name.member.1` in other services. */
  list(name: string): readonly string[] {
    const entries: string[] = [];
    for (let at = 1; ; at += 1) {
      const value = this.text(`${name}.${at}`) ?? this.text(`${name}.member.${at}`);
      if (value === undefined) return entries;
      entries.push(value);
    }
  }

  /** Returns tags: `Tag.1.Key` and `Tag.1.Value`, where an absent value is empty. */
  keyValues(name: string): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (let at = 1; ; at += 1) {
      const key = this.text(`${name}.${at}.Key`);
      if (key === undefined) return found;
      found[key] = this.text(`${name}.${at}.Value`) ?? '';
    }
  }

  /** Returns filters: `Filter.1.Name` in EC2, and `Filters.member.1.Name` in Auto Scaling. */
  filters(): readonly { readonly name: string; readonly values: readonly string[] }[] {
    const filters: { name: string; values: readonly string[] }[] = [];
    for (let at = 1; ; at += 1) {
      const path = [`Filter.${at}`, `Filters.member.${at}`].find(
        (one) => this.text(`${one}.Name`) !== undefined,
      );
      if (path === undefined) return filters;
      const values = this.list(`${path}.Value`);
      filters.push({
        name: this.text(`${path}.Name`) ?? '',
        values: values.length > 0 ? values : this.list(`${path}.Values`),
      });
    }
  }
}
