import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only IPv6 range that is assigned to the public internet (https://www.iana.org/assignments/ipv6-address-space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a numeric address belongs to the public internet. In IPv6 only global unicast does: loopback, link-local, unique-local, multicast
 * and every form that embeds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) do not.
 */
export function isPublicAddress(address: string): boolean {
  // The library also accepts octal and shortened forms, which mean other addresses to some resolvers.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}
