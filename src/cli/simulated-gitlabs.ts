/** The GitLabs that the sandbox can be, oldest first; the newest is what it is when nobody says. */
export const simulatedGitlabs = ['17.5', '17.11', '18.0', '18.7', '18.9', '19.1', '19.3'] as const;
export type SimulatedGitlab = (typeof simulatedGitlabs)[number];
