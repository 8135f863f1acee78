/** Default labels of zero-shot taggers: objects, places, animals, food and activities of everyday photos. */
export const EVERYDAY_LABELS: readonly string[] = `
person, man, woman, child, baby, group of people, crowd, couple, family, portrait, selfie, face, hand, foot, bride, wedding, athlete,
dancer, musician, chef, doctor, soldier, police officer, construction worker, farmer, student, tourist, clown
dog, puppy, cat, kitten, horse, cow, sheep, goat, pig, donkey, rabbit, hamster, mouse, squirrel, fox, wolf, bear, panda, deer, elephant,
giraffe, zebra, lion, tiger, leopard, monkey, gorilla, camel, kangaroo, koala, hedgehog, bat, whale, dolphin, seal, shark, fish, goldfish,
octopus, jellyfish, crab, lobster, shell, coral, turtle, snake, lizard, crocodile, frog, bird, parrot, owl, eagle, duck, swan, goose, chicken,
rooster, turkey, peacock, penguin, pigeon, seagull, flamingo, butterfly, bee, beetle, ant, spider, dragonfly, snail
tree, palm tree, pine tree, forest, jungle, leaf, flower, rose, tulip, sunflower, daisy, cactus, mushroom, grass, moss, bush, potted plant,
bouquet, garden, park, meadow, field, vineyard, orchard, farm, hill, mountain, volcano, canyon, cliff, cave, rock, desert, sand, beach, island,
sea, wave, lake, river, waterfall, pond, swamp, glacier, iceberg, snow, ice, rain, lightning, fog, cloud, sky, rainbow, sunrise, sunset, moon,
night sky, stars, fire, smoke
city, street, alley, road, highway, crossing, bridge, tunnel, square, skyline, skyscraper, tower, castle, palace, church, mosque, temple,
monument, statue, fountain, ruins, house, cottage, hut, apartment building, barn, windmill, lighthouse, factory, power plant, crane,
construction site, warehouse, greenhouse, harbor, pier, railway station, airport, bus stop, parking lot, gas station, market, supermarket, shop,
restaurant, cafe, bar, hotel, hospital, school, classroom, library, museum, theater, cinema, stadium, gym, swimming pool, playground,
amusement park, zoo, cemetery, wall, fence, gate, door, window, roof, balcony, stairs, escalator, elevator, corridor
living room, bedroom, kitchen, bathroom, office, garage, attic, basement, chair, armchair, sofa, stool, bench, table, desk, bed, crib, shelf,
bookcase, cupboard, drawer, wardrobe, mirror, lamp, chandelier, candle, curtain, carpet, pillow, blanket, clock, vase, picture frame, fireplace,
toilet, sink, bathtub, shower, refrigerator, oven, stove, microwave, toaster, kettle, coffee machine, dishwasher, washing machine,
vacuum cleaner, iron, fan, air conditioner, radiator
plate, bowl, cup, mug, glass, bottle, wine glass, can, jar, fork, knife, spoon, chopsticks, pan, pot, cutting board, bread, toast, sandwich,
burger, hot dog, pizza, pasta, noodles, rice, soup, salad, sushi, steak, sausage, bacon, egg, cheese, butter, fries, popcorn, cake, cupcake,
pie, cookie, donut, pancake, waffle, ice cream, chocolate, candy, apple, banana, orange, lemon, grapes, strawberry, cherry, peach, pear,
pineapple, watermelon, mango, avocado, tomato, potato, carrot, onion, garlic, pepper, corn, broccoli, cabbage, cucumber, pumpkin, beans, nuts,
coffee, tea, juice, milk, beer, wine, cocktail, water
shirt, t-shirt, sweater, hoodie, jacket, coat, suit, dress, skirt, trousers, jeans, shorts, swimsuit, pajamas, uniform, costume, socks, shoe,
sneaker, boot, sandal, high heels, hat, cap, helmet, scarf, gloves, belt, tie, glasses, sunglasses, watch, ring, necklace, earrings, handbag,
backpack, suitcase, wallet, umbrella, mask
car, sports car, taxi, van, truck, fire engine, ambulance, police car, bus, tram, train, subway, motorcycle, scooter, bicycle, skateboard,
wheelchair, stroller, tractor, excavator, boat, sailboat, canoe, ship, ferry, submarine, airplane, helicopter, drone, hot air balloon, rocket,
parachute, wheel, traffic light, traffic sign, street lamp
computer, laptop, keyboard, computer mouse, monitor, tablet, phone, telephone, television, remote control, camera, microphone, headphones,
speaker, radio, printer, projector, robot, circuit board, cable, battery, light bulb, flashlight, book, newspaper, magazine, map, letter,
envelope, document, handwriting, receipt, ticket, bank card, coin, banknote, poster, sign, flag, logo, chart, diagram, screenshot, painting,
drawing, cartoon, graffiti, sculpture, pottery, pen, pencil, brush, scissors, tape, ruler, calculator, calendar, key, lock, box, basket,
bucket, bag, barrel, ladder, rope, chain, hammer, screwdriver, wrench, drill, saw, axe, shovel, broom, toothbrush, comb, soap, towel, tissue,
medicine, syringe, bandage, stethoscope, microscope, telescope, scale, thermometer
toy, doll, teddy bear, toy blocks, puzzle, board game, chess, playing cards, dice, balloon, kite, gift, Christmas tree, fireworks, ball,
football, basketball, baseball, tennis racket, golf club, hockey stick, skis, snowboard, surfboard, dumbbell, trophy, medal, tent, campfire,
fishing rod, guitar, piano, violin, drums, trumpet, saxophone, flute
running, walking, swimming, cycling, climbing, skiing, surfing, dancing, singing, cooking, eating, reading, sleeping, working, shopping,
driving, playing, concert, party, birthday, parade, protest, meeting, picnic, camping, football match, race, X-ray, aerial view, close-up,
black and white photo
`
  .trim()
  .split(/[,\n]\s*/)
  .filter((label) => label !== '');
