// Short words that can be spoken and spelled, screened for bad meanings (words.test.ts). Most are from friendly-words,
// © 2018 Glitch, under the MIT licence (README.md). No numbers, which would be heard as digits.

/** The first word of a name describes. */
export const firstWords: readonly string[] = (
  'ablaze able aboard aerial agate airy alder alive almond alpine amber amused amusing ancient apple ' +
  'aquatic arctic arrow atom auburn autumn awake awesome azure balmy band basalt basic battle bead beaded ' +
  'beige berry best blend bloom blossom blue blush bonny bouncy brainy bramble branch brass brave brawny ' +
  'breezy brick bright brisk broad bronze brook bubble bubbly bumpy buoyant busy cactus cake calm calmer ' +
  'candid candy canyon capable caramel careful caring casual cedar chalk charmed chatty cheery chirpy ' +
  'citrine classic clean clear clever cliff cloud cloudy clover coastal cobalt cocoa coconut coffee comet ' +
  'common cookie cool copper copy coral cordial cosmic cottony cozy crested crimson crispy crocus crystal ' +
  'curious curly curved cyan cyber cypress daily dainty dandy dappled dashing dawn deep deft deluxe denim ' +
  'desert diamond disco double dreamy dune dynamic eager early earthy eastern easy ebony elastic elated ' +
  'elder elegant elite ember emerald empty equal evening excited extra fabled fair famous fancy fast fawn ' +
  'feisty feline fern festive fine fixed flame flannel flash flashy fleet flint floral flower flowery ' +
  'fluent fluff fluffy foggy fond forest fossil free fresh frisky frost frosted frothy funny gallant garnet ' +
  'genial gentle geode gilded ginger glad glass gleeful glimmer glitter global glory glossy glow glowing ' +
  'gold golden granite grassy gravel great green groovy grove gusty happy harbor hardy harvest hazel ' +
  'healthy hearty heather helix helpful hickory hill honest honey humane hushed icy immense indigo inland ' +
  'inner intense iris island ivory ivy jasper jaunty jazzy jelly jewel jolly jovial joyous jungle juniper ' +
  'keen khaki kind kindly kindred lacy lake lapis lasting lava lavish leaf leafy learned legend leisure ' +
  'lemon level light lilac limber lime linen lithe live lively living local lofty long lovely loyal lucid ' +
  'lucky lunar lyrical magenta magic magical maize major mammoth mango maple marble marbled marine marsh ' +
  'marshy massive mature mauve meadow mellow melodic mercury merry meteor mica midi mighty mild mindful ' +
  'mint minty mirror mobile modern modest morning mossy mystic narrow native natural navy near neat nebula ' +
  'neon neutral next nice nickel nifty nimble noble noon nordic north notch nova novel nutty oaken oasis ' +
  'oceanic ochre olive olivine onward onyx opal open opulent orange orchid orderly organic ornate outdoor ' +
  'outer pacific painted patient peachy pearl pebble pepper peppy perfect peridot perky petal pewter pink ' +
  'placid plaid plain playful pleased plucky plum plume plus plush pocket poised polar polite pond popular ' +
  'potent prairie pretty prime prism prized prompt proper proud puddle pure purple puzzle quaint quartz ' +
  'quasar quick quiet quill quilt quilted quirky radial radiant rain rainbow rainy rapid ready regal ' +
  'regular ribbon rich right ripe ripple river roasted robust rocky rolling roomy rose round rounded royal ' +
  'ruby rugged rune rural russet rustic saber sable safe sage salt salty sand sandy satin savory savvy ' +
  'scarlet scented seaside sepia sequin sequoia serene shade shapely sharp shimmer shining shiny shore ' +
  'short silicon silk silken silky silver silvery sincere singing sky sleek sleepy sleet slender small ' +
  'smart smiling smooth snappy snow snowy snug soapy soft solar solid sonic sound south spangle sparkly ' +
  'special speckle spiffy spiral spotted sprout spry stable star starry stately steel stellar storm stormy ' +
  'stout strong stylish sugar sugary summer summery sun sunlit sunny sunrise sunset supple sure surf sweet ' +
  'swift swirly tall tangy tasty tawny teal tender thick three thrifty tidal tinted tiny topaz torch trim ' +
  'true trusted trusty tulip tundra tuneful twirly umber unusual upbeat upper upright urbane valiant valley ' +
  'vanilla vast velvet verdant vernal vibrant vine vintage violet vital vivid walnut warm warp watery wave ' +
  'wavy well western wheat whole wide wiggly willing windy winged winter wintry wise witty wobbly wooded ' +
  'wooden woolly worthy woven yonder zenith zest zesty zigzag zinc zippy'
).split(' ');

/** The others are things. */
export const otherWords: readonly string[] = (
  'abacus acai acorn acre acrylic airboat airlift airship album alcove alder alfalfa algebra alley allium ' +
  'alloy almanac almond aloe alpaca alto alyssum ambler amulet anchovy anemone angora anise anorak antenna ' +
  'anthem antique antler anvil apogee apple apricot arbor arcade arch archer archway argon argyle armband ' +
  'armoire arrow artisan aspen aster atlas atom aurora avenue aviator avocado awning axolotl azalea badger ' +
  'bagel bagpipe bakery ballad balloon bamboo band bandana banjo banner bard barge barn barrel basalt basil ' +
  'basin basket bassist bassoon bath bathtub bay bayou bazaar beach beacon bead beam beanie bear bed ' +
  'bedrock bee beech beeline beetle begonia bell bellhop bellows beluga bench bento beret berry bicycle ' +
  'bike binder biplane birch bird birdie bison bistro blanket blarney blender blimp bloom blossom blotter ' +
  'bluff board boat bobbin bobble bobcat bobsled bonfire bongo bonnet bonobo bonsai book booklet border ' +
  'botany bottle boulder bounce bouquet bower bowl bowler bracken bracket braid braille bramble brass ' +
  'bravado bread breeze brick bridge brie brioche brisket bronze brook broom brownie brush bubble bucket ' +
  'buckle buffalo bugle bulb burlap burrito cabana cabaret cabbage cabin cactus cadence cafe cairn cake ' +
  'calcium calico calypso camel cameo camera camp camper canary candle candor candy canoe canopy canteen ' +
  'canvas cap capsule captain car caramel caravan caravel caraway carbon caribou carob carol carp carpet ' +
  'carport carrot carton cartoon cascade cashew casino cat catalog catfish cathode catmint catwalk cavern ' +
  'cayenne celery cello celsius ceramic cereal chair chalk chariot charm chateau cheddar cheese cherry ' +
  'chess chicken chicory chili chime chimney chive chord chorus cider cinder cinema cipher circle circus ' +
  'cirrus citadel citrus city clam clamber clarion clasp class clave clef cleft click climb clinic clipper ' +
  'cloak cloche clock closet cloth cloud clove clover coast coaster coat cobalt cobble cobweb cocoa coconut ' +
  'coffee coffer coin collage cologne colt column comb comet comfort comic compass compote concert condor ' +
  'cone conifer console cookie copper copy coral cord cordial cork cornet cosmos cottage couch cougar ' +
  'coupon courier cove cow cowbell coyote crab cradle crane crate crater crayon creek crepe cress cricket ' +
  'crocus crouton crow crumb crumble crumpet crystal cub cubicle cuckoo cuisine culvert cup cupcake curio ' +
  'currant curtain curve custard cutlery cymbal cypress dahlia daisy dance dart dawn day daybed decibel ' +
  'decoder delta denim desert desk detour dew dewdrop diadem dialect diamond dibble dime diner dinner diode ' +
  'diorama diploma dish diver dog dogsled dogwood dollop dolphin domino doodle door doorway doublet dove ' +
  'dowel dragon drawer dream dress drill drizzle droplet drum duchess duck duke dune durian dustpan dynamo ' +
  'eagle earring earth easel echidna echium echo eclair eclipse edge edition eel effect egg eggnog egret ' +
  'element elixir elk ellipse elm emblem emu enamel engine equator equinox estuary evening eyelet fable ' +
  'facade falafel falcon fanfare fathom faucet feather fedora fencing fender fern ferret ferry festoon ' +
  'fiddle field filter fin finch find fir firefly fjord flag flame flannel flask flax flicker flight floor ' +
  'florist flower flute foam folio fondue forest forge fork format formula fossil fox foxtail foxtrot frame ' +
  'freckle freesia freight fresco fridge frigate fringe fritter frog frost fruit fuchsia fuel furnace ' +
  'furrow gable gadget gaiter galaxy galleon gallery galley gallop gambit gantry garage garden garland ' +
  'garlic garment garnet garnish gasket gate gateway gauge gazebo gazelle gear gecko geese gelato gem ' +
  'geyser gherkin giant gimbal ginger ginkgo giraffe gizmo glacier glade glass glider glimmer glitter globe ' +
  'glove glow glue glyph gnocchi goal goblet gold golf gondola gong gopher gosling gourd grain gram granite ' +
  'granola gravel gravity gravy griddle griffin grocer grotto guanaco guava guild guitar gull gumdrop guppy ' +
  'gym haddock hairpin hall halo hammer hammock hamper hamster handbag handle handsaw hangar harbor hare ' +
  'harmony harness harp harrier hat hawk haze hearth heath heather hedge helium helmet hemlock hero heron ' +
  'hexagon hickory hill hinge hockey holiday honey hoodie hook hope hopper horizon horse hostel house ' +
  'hubcap hummus hybrid hydrant hyphen ice iceberg icebox icicle icon idea igloo iguana indigo ink inkblot ' +
  'inkwell inlet iris iron island isotope ivory jacket jackpot jaguar jam jar jasmine jasper javelin jay ' +
  'jeans jeep jersey jet jetty jigsaw jingle jonquil journey jubilee juice jukebox jumbo jump juniper ' +
  'jupiter justice jute kayak kebab kelp kernel ketchup kettle key keynote kickoff kimono kiosk kitchen ' +
  'kite kitten knot knuckle koala koi kumquat lace ladle ladybug lagoon lake lamb lamp lamprey land landing ' +
  'lantana lantern lapel larch lark lasagna laser lasso lathe lather lattice launch laurel lava leaf ' +
  'leaflet legend legume lemon lemur lens lentil leopard letter lettuce level lever library lichen lift ' +
  'light lilac lily lime line linen lining link lion lizard llama loaf lobster lock locket lodge log ' +
  'logbook logic longan lookout loom lotus luggage lullaby lumber lunch lupin lute lychee lynx lyre macaw ' +
  'maestro magenta magic magnet magpie mallet mallow mambo manatee mango manor manta mantis mantle mantra ' +
  'map maple maraca marble marbles march margin marimba marina marlin marquee marquis marshal mascot mask ' +
  'matador match matinee matrix meadow meal meerkat melody melon memoir menu mercury metal meteor meter ' +
  'metro mice middle midland midway mile mimosa minaret minibus mink minnow mint minuet minute mirror ' +
  'mission mitten mixer moat mohair mole moment monarch monitor monsoon month mood moon mooring moose ' +
  'morning mosaic moth motif motion motor mouse move movie mule mural muse museum music mustang mustard ' +
  'myrtle nail napkin narwhal nebula nectar neon neptune nest net newt nickel night node noise nomad noodle ' +
  'noon note notepad nougat noun nova novel novelty nugget nylon oak oarlock oasis oatcake oatmeal obelisk ' +
  'oboe ocarina ocean ocelot octagon octave octet october okra olive olivine omega omelet onion onyx opal ' +
  'open opera opossum oracle orange orator orbit orca orchard orchid oregano origami origin oriole ostrich ' +
  'otter ottoman outfit outlet outline outpost overall owl oxbow oxygen oyster paddle page pagoda pail ' +
  'paint painter paisley palette palm pan panama pancake panda panel panther pantry paper paprika parable ' +
  'parade paradox parasol parcel parfait parka parlor parrot parsley parsnip passage passkey pasta pastel ' +
  'patch path patio pea peach peanut pear pearl pebble pecan pegasus pelican pencil penguin pennant peony ' +
  'pepper perfume pergola peridot pesto petal petunia pewter phoenix piano piccolo pickle picnic picture ' +
  'pier pigeon pigment pigtail pillar pillow pilot pink pioneer pitcher pivot pixel pizza placard plaid ' +
  'plain plane planet plank plant planter plaster plastic plate platter playoff playpen plaza plot plum ' +
  'plumage plume plywood pocket podcast podium poet poetry point polish polka polo polygon pomelo pompom ' +
  'poncho pond popcorn poppy porch port portal porter potato powder prairie pretzel primula print prism ' +
  'profile prose protein proton puck pudding puddle pulley pulpit puma pumpkin puppet puppy purple pushpin ' +
  'puzzle pyramid quail quark quarry quarter quartet quartz quasar quiche quill quilt quince quiver quiz ' +
  'quokka rabbit racer radar radio radish raft rafter ragdoll rail railing railway rain rainbow raisin ' +
  'ramble rampart ranch rapids raptor raven raver ravine ravioli rayon rebound recipe reed reef refrain ' +
  'regatta region relay report retina retort rhombus rhubarb rhyme rhythm ribbon rice ricotta riddle ridge ' +
  'ring risotto river rivulet road roadway robe robin rock rocker rocket rodeo roll roof rooftop rook room ' +
  'rooster rose rosebud rosehip rotor rotunda rover rowboat rowing ruby rudder ruler rumba rumble runner ' +
  'runway rustic safari saffron saga sage saguaro sail sailing sailor salad salmon salsa salt samba sampan ' +
  'sand sandal sandbar sandpit sapling sardine sash satchel satin satire satsuma saturn sauce saucer ' +
  'savanna sawfish sawmill scallop scarf scene scenery scent school scone scooter screen scroll sea seagull ' +
  'seal seaport season seaweed sector seed seesaw segment sequin sequoia sesame shade shadow shallot ' +
  'shampoo shanty shark sheep sheet shelf sherbet sherpa shield ship shirt shoe shop shovel show shrimp ' +
  'shrine shutter shuttle sickle side sign signal signet silicon silk silo silver singer sink sitar skate ' +
  'sketch skewer ski sky skylark skyline skyway slalom slate sled sleet sleigh slice slide slipper slipway ' +
  'slope smile snail snippet snorkel snow snowcap snowman soap soccer sock socks sofa sonata song sonnet ' +
  'soprano sorbet soup source soybean space spade spark sparkle sparrow sphere spinach spindle spinet ' +
  'spinner spiral spoke sponge spool sprig spring sprint sprite sprout spruce spur squash squid stadium ' +
  'stage stamina stamp stanza star starter station steel steeple stem stencil step stereo stetson stew ' +
  'stirrup stitch stoat stock stone stopper store storm story stove straw stream street string strudel ' +
  'study suburb sugar suit sultana summer summit sun sunbeam sundae sundeck sundial sunfish sunroof sunset ' +
  'sunspot surf surfer sushi swallow swan sweater swift swim swing symbol synapse syrup tabby table tablet ' +
  'tail talon tandem tangelo tangent tango tapas taproot target tarsier tartan taxi taxicab tea teacup teal ' +
  'teapot tempest tempo tempura tendril tennis tenor tent terrace tether text textile theater theme ' +
  'theorem thermos thicket thimble thistle thorn thread throne thrush thunder thyme tiara tick ticker ' +
  'ticket tidings tiger tiglon tilapia tile tiller timber time timer timpani tinsel tip title toad toast ' +
  'toaster today toffee tofu tomato top topaz topcoat topsail tornado totem toucan towel tower town toy ' +
  'track tractor trail train transit travel tray treble tree treetop trellis tribune trick trident trifle ' +
  'trilby trinket tripod triumph trolley truck truffle trumpet trunk tub tuba tugboat tulip tumble tuna ' +
  'tundra tune tunnel turbine tureen turn turnip turret turtle tuxedo tweed twig twill twine ukulele umpire ' +
  'unicorn uniform upland uplift valet valley value van vanilla vantage vapor vaquero vase vault vehicle ' +
  'vellum velvet veneer verbena verse vertex vest viaduct village vinyl viola violet violin visor vista ' +
  'vitamin voice volcano vole voltage volume vortex voucher voyage wafer wagon walk walkway wallaby walnut ' +
  'walrus waltz warbler wasabi watch watcher water wave waxwing wayside weather web wedge week whale wheel ' +
  'whippet whirl whistle wicker wicket widget wigwam willow wind wing winter wire wok wolf wombat wonder ' +
  'wood woodcut wool word wreath wren wrench writer yacht yak yam yard yardarm yarn yarrow year yodel ' +
  'yogurt yoke yuzu zebra zenith zephyr zigzag zinc zinnia zipper zodiac zone zoo'
).split(' ');
