const NAME = 'Sample';

/** Creates the sample dataset, unless the core has datasets. */
export async function ensureSampleDataset(baseUrl: string): Promise<void> {
  const listed = (await (await request(`${baseUrl}/api/v1/datasets`)).json()) as unknown[];
  if (listed.length > 0) return;
  const headers = { 'Content-Type': 'application/json' };
  await request(`${baseUrl}/api/v1/datasets/sample_data`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ dataset_name: NAME }),
  });
}

async function request(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
