import { z } from 'zod';
import { key } from './key.ts';
import { choice, words } from './values.ts';

export const aws = z.strictObject({
  account: key(words('an account id of twelve digits', /^\d{12}$/).optional(), {
    description: 'The AWS account that the stack lives in. Credentials of another one are refused.',
    otherwise: 'any; the account is printed',
  }),
  sweep: key(choice(['remove', 'report', 'off']).prefault('remove'), {
    description:
      "What becomes of AWS resources that carry the stack's and a removed shard's tags and that its infrastructure left behind. remove: what is safe to remove is removed, and the rest ends the run with an error; report: it is listed; off: nobody looks.",
  }),
});
