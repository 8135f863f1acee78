/** Name of the dataset that is created in the development data folder when it has none. */
const NAME = 'Sample';

/** Creates the sample dataset from a folder of images, unless the core has datasets. */
export async function ensureSampleDataset(baseUrl: string, folder: string): Promise<void> {
  const listed = (await (await request(`${baseUrl}/api/v1/datasets`)).json()) as unknown[];
  if (listed.length > 0) return;
  const body = new URLSearchParams({ dataset_name: NAME, bucket_path: folder });
  await request(`${baseUrl}/api/v1/dataset`, { method: 'POST', body });
}

async function request(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
