/**
 * Stands where the token of a removed shard stood, so that its name can be used again at once. No
 * runner's token has a parenthesis or a blank, so that no host takes it for one.
 */
export const retiredToken = '(none: retired)';
