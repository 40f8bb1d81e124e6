/**
 * An identity token of this job, by GitHub's own toolkit, which reads where to ask and the token of the
 * job from the environment. It lasts five minutes, and a new one is given as long as the job's own token
 * lasts: that is the one of its runner's connection, so a job does not outlive it; how long it lasts on
 * self-hosted runners is told nowhere, and when it ends this fails.
 * https://docs.github.com/actions/reference/security/oidc
 */
export async function readIdToken(audience: string): Promise<string> {
  const { getIDToken } = await import('@actions/core');
  try {
    return await getIDToken(audience);
  } catch (error) {
    // The toolkit's own words; without the permission it names the variable that is missing.
    const text = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(`GitHub gave no identity token (id-token: write): ${text}`), {
      name: 'TokenProviderError',
    });
  }
}
