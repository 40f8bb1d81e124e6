/**
 * Value in the place of a removed shard's token: the parameter's name stays usable at once. No host
 * mistakes it for a token, because tokens contain no parenthesis or space.
 */
export const retiredToken = '(none: retired)';
