// Separate from the key table: the command line checks names without loading it.

export const runnerNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const shardPattern = /^[a-z0-9]{1,20}$/;
export const deploymentIdPattern = /^[A-Za-z0-9](?:[A-Za-z0-9_/-]|\.(?!\.)){0,199}$/;
