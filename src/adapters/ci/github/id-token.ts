/**
 * Reads an identity token of this job through GitHub's toolkit, which reads its URL and the job's
 * token from the environment. An identity token lasts five minutes. GitHub issues new ones until
 * the job's token expires. The job token belongs to the runner's connection, so the job does not
 * outlive it. Its lifetime on self-hosted runners is undocumented; after it, this function rejects.
 * https://docs.github.com/actions/reference/security/oidc
 */
export async function readIdToken(audience: string): Promise<string> {
  const { getIDToken } = await import('@actions/core');
  try {
    return await getIDToken(audience);
  } catch (error) {
    // The toolkit's message names the variable that is missing without the permission.
    const text = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(`GitHub gave no identity token (id-token: write): ${text}`), {
      name: 'TokenProviderError',
    });
  }
}
