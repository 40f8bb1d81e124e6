import { describe, expect, test } from '@jest/globals';
import { rootModule } from '../../../src/cli/starting/root-module.ts';
import { blank } from '../../../src/config/files/hcl-text.ts';
import { listAssigned, listDeclared } from '../../../src/config/files/terraform-names.ts';

const code = `# variable "comment" {}
/* variable "block" {
} */
variable "plain" {
  type = string // default = "in a comment"
}

variable "with_default" {
  description = "quotes \\" and \${lookup(var.plain, "a}")} and a # sign"
  default     = null
}
variable "nested" {
  type = object({
    default = optional(string, "{")
  })
  validation {
    condition = var.nested == null
    default   = 1
  }
}
  variable "indented" { default = "{" }
variable unquoted {}
resource "x" "y" {
  script = <<-EOT
    variable "heredoc" {}
    EOT
  variable "inner" {}
}
variable "after_heredoc" {
  default = <<EOT
EOT
}
`;

describe('variables of a root module', () => {
  test('the scanner finds each variable with its line and whether it has a default', () => {
    expect(listDeclared('variables.tf', code)).toEqual([
      { name: 'plain', line: 4, isRequired: true },
      { name: 'with_default', line: 8, isRequired: false },
      { name: 'nested', line: 12, isRequired: true },
      { name: 'indented', line: 21, isRequired: false },
      { name: 'unquoted', line: 22, isRequired: true },
      { name: 'after_heredoc', line: 29, isRequired: false },
    ]);
  });

  test('the scanner reads JSON', () => {
    const text = '{"variable": {"a": {"type": "string"}, "b": [{"default": 1}], "c": {}}}';
    expect(listDeclared('variables.tf.json', text)).toEqual([
      { name: 'a', line: 1, isRequired: true },
      { name: 'b', line: 1, isRequired: false },
      { name: 'c', line: 1, isRequired: true },
    ]);
  });

  test.each(['', '{', 'variable "', 'variable "x" {', '"${', '<<EOT\n', '/*', '[]', 'null'])(
    'the scanner accepts the broken text %j',
    (text) => {
      for (const path of ['a.tf', 'a.tf.json'])
        expect(listDeclared(path, text).length).toBeLessThanOrEqual(1);
      for (const path of ['a.tfvars', 'a.tfvars.json'])
        expect(listAssigned(path, text)).toEqual([]);
    },
  );

  test('the own root module declares the names that hosted-runner sets', () => {
    const names = listDeclared('variables.tf', rootModule['variables.tf'] ?? '');
    expect(names).toContainEqual(expect.objectContaining({ name: 'shard', isRequired: true }));
    expect(names).toContainEqual(
      expect.objectContaining({ name: 'runner_name', isRequired: true }),
    );
  });
});

test('values are found at the top of a file only', () => {
  const text = `one = "a = b"
# two = 2
map = {
  inner = 1
  list  = [
    { deep = 1 },
  ]
}
  indented=1
text = <<EOT
heredoc = 1
EOT
a == b
three = 3 /* four = 4
five = 5 */
`;
  expect(listAssigned('linux.tfvars', text)).toEqual([
    { name: 'one', line: 1 },
    { name: 'map', line: 3 },
    { name: 'indented', line: 9 },
    { name: 'text', line: 10 },
    { name: 'three', line: 14 },
  ]);
  expect(listAssigned('linux.tfvars.json', '{"a": 1, "b": {"c": 2}}')).toEqual([
    { name: 'a', line: 1 },
    { name: 'b', line: 1 },
  ]);
});

test.each(['comments', 'comments and texts'] as const)(
  'blanking %s keeps every line and offset',
  (what) => {
    for (const text of [code, ...Object.values(rootModule)]) {
      const blanked = blank(text, what);
      expect(blanked.length).toBe(text.length);
      expect(blanked.split('\n').map((line) => line.length)).toEqual(
        text.split('\n').map((line) => line.length),
      );
    }
  },
);
