import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that is given out of IPv6 for the public internet (https://www.iana.org/assignments/ipv6-address-space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a numeric address lies in the public internet. Of IPv6 only global unicast does: loopback, link-local, unique-local, multicast
 * and every form that wraps an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are not.
 */
export function isPublicAddress(address: string): boolean {
  // The library also reads octal and shortened forms, which name other addresses to some resolvers.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}
